#!/usr/bin/env node
process.stdout.write("refold\n")

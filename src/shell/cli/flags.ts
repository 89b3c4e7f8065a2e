import type { TypedFlagParameter } from "@stricli/core"
import { UsageError } from "../border.ts"

/** Reads a whole number of at least one. */
export const positive = (text: string): number => {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`"${text}" is no number of at least 1`)
  return value
}

/** Reads a size in bytes, also as 100e6. */
export const byteCount = (text: string): number => {
  const value = Number(text)
  if (!/^[0-9]+(e[0-9]+)?$/i.test(text) || !Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`"${text}" is no number of bytes, such as 100e6`)
  return value
}

/** Reads the number of a format. */
export const formatNumber = (text: string): number => {
  if (!/^[0-9]{1,3}$/.test(text)) throw new UsageError(`"${text}" is no number of a format`)
  return Number(text)
}

export const text = (value: string): string => value

export const jsonFlag: TypedFlagParameter<boolean> = {
  kind: "boolean",
  brief: "Print one JSON document",
  default: false,
  withNegated: false,
}

export const ndjsonFlag: TypedFlagParameter<boolean> = {
  kind: "boolean",
  brief: "Print one JSON record a line",
  default: false,
  withNegated: false,
}

export const colorFlag: TypedFlagParameter<boolean> = {
  kind: "boolean",
  brief: "Colours on a terminal; also off by NO_COLOR",
  default: true,
}

export const recoverableFlag: TypedFlagParameter<boolean> = {
  kind: "boolean",
  brief: "Take damage after the last completed turn for a torn tail",
  default: false,
  withNegated: false,
}

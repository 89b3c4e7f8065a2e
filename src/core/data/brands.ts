declare const brand: unique symbol

/** A number or string that carries its meaning in its type and costs nothing at run time. */
export type Brand<A, Name extends string> = A & { readonly [brand]: Name }

/** Position of an event in its log: 0, 1, 2, … without gaps. */
export type Seq = Brand<number, "Seq">

/** Position of a byte in the decompressed log, from 0. */
export type ByteOffset = Brand<number, "ByteOffset">

/** Model tokens; a whole number, never negative. */
export type Tokens = Brand<number, "Tokens">

/** Milliseconds since 1970-01-01T00:00:00Z, as the log states them. */
export type EpochMs = Brand<number, "EpochMs">

export const seqOf = (value: number): Seq => value as Seq
export const byteOffsetOf = (value: number): ByteOffset => value as ByteOffset
export const tokensOf = (value: number): Tokens => value as Tokens
export const epochMsOf = (value: number): EpochMs => value as EpochMs

/** Bytes of a text in UTF-8; a lone surrogate counts as its replacement character does. */
export const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // both halves of a pair come to four bytes together
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00
    bytes += unit < 0x800 ? 1 : 2
    if (isPair) i++
  }
  return bytes
}

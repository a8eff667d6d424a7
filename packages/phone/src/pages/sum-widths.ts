/** Width of a text in one line without kerning. @param widthOf the width of a character */
export function sumWidths(text: string, widthOf: (character: string) => number): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

import { readFile } from 'node:fs/promises'

/**
 * Decodes a text that a person may have saved with any editor: UTF-8, UTF-16, or else Windows-1252. Removes byte-order
 * marks, which are also inside where files were joined, and ends lines with `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replaceAll('\uFEFF', '').replace(/\r\n?/g, '\n')
}

/** Reads a file as {@link decodeText} does. */
export async function readTextFile(path: string): Promise<string> {
  return decodeText(await readFile(path))
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  // A mark, or a first character of ASCII. No byte of a mark, and no zero, is at the beginning of text in UTF-8.
  if (first === 0xff || second === 0) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe || first === 0) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

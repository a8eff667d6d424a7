/** A part of a file, both ends included. */
export interface Bytes {
  readonly start: number
  readonly end: number
}

/**
 * Reads a `Range` header for a file of `size` bytes. One range is understood; several, other units and what is
 * malformed are answered with the whole file, as RFC 9110 (14.2) allows.
 * @returns undefined for the whole file
 */
export function byteRange(header: string | undefined, size: number): Bytes | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'unsatisfiable' : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** A range of bytes, both ends inclusive and starting at 0. */
export interface ResolvedRange {
  readonly start: number
  readonly end: number
}

/**
 * Parses the `Range` header of a request for a file of `size` bytes. Supports a single range; multiple ranges, other
 * units and malformed headers are ignored, as RFC 9110, section 14.2 permits.
 * @returns undefined if the whole file is to be sent
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ResolvedRange | 'unsatisfiable' | undefined {
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

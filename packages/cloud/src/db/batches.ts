/** Few sizes, so that statements with lists of values do not fill the cache of prepared statements. */
const BATCH_SIZES = [256, 64, 16, 4, 1] as const

/**
 * Splits the items of a statement with a list of values: databases limit the number of its parameters, and each length
 * of the list is a statement of its own. Yields batches of 256, 64, 16, 4 and 1 items.
 */
export function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let start = 0
  for (const size of BATCH_SIZES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size)
  }
}

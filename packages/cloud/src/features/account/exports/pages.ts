/**
 * Rows read a page at a time.
 * @param read the rows that follow the one with this key, in the order of their keys; at most a page of them
 */
export async function* inPages<Row>(
  read: (after: string | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row> {
  const limit = 200
  let after: string | undefined
  for (;;) {
    const rows = await read(after, limit)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    after = keyOf(last)
  }
}

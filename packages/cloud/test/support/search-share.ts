/**
 * How many of its generated inputs a search tries: all in `npm run test:long`, a fifth in `npm test`. Searches are the tests
 * in files `*.search.test.ts`, which both run.
 */
export function shareOf(inputs: number): number {
  return Math.ceil(inputs * Number(process.env.SEARCH_SHARE ?? 1))
}

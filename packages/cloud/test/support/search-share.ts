/**
 * How many of its generated inputs a search tries: all in `npm run test:long`, a fifth in `npm test`. Searches are the tests
 * in files `*.search.test.ts`, which both run.
 */
export function shareOf(inputs: number): number {
  return Math.ceil(inputs * Number(process.env.SEARCH_SHARE ?? 1))
}

/** The inputs of a corpus that a search tries, evenly spread. */
export function sampleOf<Input>(corpus: readonly Input[]): Input[] {
  const step = corpus.length / shareOf(corpus.length)
  return corpus.filter((_, index) => index % step < 1)
}

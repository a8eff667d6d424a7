/** What a benchmark asks the server under it, over the process channel. */
export type Question =
  | { readonly ask: 'memory' }
  | { readonly ask: 'cpu' }
  | { readonly ask: 'users'; readonly first: number; readonly count: number; readonly appUrl: string }

/** Answers the questions every server can: bytes in use after a collection, processor time in microseconds. */
export function answerCommon(question: Question): number | undefined {
  if (question.ask === 'cpu') {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  if (question.ask !== 'memory') return undefined
  if (!globalThis.gc) throw new Error('start this process with --expose-gc')
  for (let round = 0; round < 3; round += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

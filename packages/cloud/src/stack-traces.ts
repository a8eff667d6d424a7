import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The folder of the bundle; the sources are run as they are. */
const FOLDER = new URL('.', import.meta.url).href

/** The position of a call in an ES module. */
const POSITION = /(file:\/\/\/[^\s()]+\.mjs):(\d+):(\d+)/

/**
 * Makes stack traces name the sources instead of the chunks of the bundle. The source map of a chunk is read for the first
 * stack trace that contains it; with `setSourceMapsSupport`, Node reads each when it loads the chunk, which takes 25 ms.
 */
export function mapStackTraces(): void {
  const maps = new Map<string, SourceMap | undefined>()
  const describe = (call: NodeJS.CallSite): string =>
    String(call).replace(POSITION, (position, chunk: string, line: string, column: string) => {
      if (!maps.has(chunk)) maps.set(chunk, readSourceMap(chunk))
      const entry = maps.get(chunk)?.findEntry(Number(line) - 1, Number(column) - 1)
      if (entry === undefined || !('originalSource' in entry)) return position
      const { originalSource, originalLine, originalColumn } = entry
      return `${fileURLToPath(new URL(originalSource, chunk))}:${originalLine + 1}:${originalColumn + 1}`
    })
  Error.prepareStackTrace = (error, calls) =>
    [Error.prototype.toString.call(error), ...calls.map((call) => `    at ${describe(call)}`)].join('\n')
}

/** Returns the source map of a chunk of the bundle; undefined if it has none. */
function readSourceMap(chunk: string): SourceMap | undefined {
  if (!chunk.startsWith(FOLDER)) return undefined
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${chunk}.map`), 'utf8')))
  } catch {
    return undefined
  }
}

import type { TestEvent } from 'node:test/reporters'
import { ReportCollector } from './file-report.ts'

/** The events of the files of this process. */
export const collector = new ReportCollector()

/** The reporter of a worker for node:test. It prints nothing. */
export default async function* (events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) collector.handle(event)
  yield ''
}

import assert from 'node:assert/strict'
import type { Scope } from './scope.ts'
import { withTimeout } from './wait-for.ts'

const TIMEOUT_MS = 20_000

/** A server-sent event; its name is `message` unless the server names it. */
export interface StreamedEvent {
  readonly name: string
  readonly data: unknown
}

/** Opens a stream of server-sent events, which the end of the scope closes. */
export async function openEventStream(scope: Scope, url: string, headers: Readonly<Record<string, string>>) {
  const leaving = new AbortController()
  scope.after(() => leaving.abort())
  const response = await fetch(url, { headers, signal: leaving.signal })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  /** @returns false at the end of the stream */
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read()
    if (!done) text += value
    return !done
  }
  return {
    close: () => leaving.abort(),
    /** Waits for an event that matches, and forgets it with those before it. */
    async next(matches: (event: StreamedEvent) => boolean): Promise<StreamedEvent> {
      const find = async (): Promise<StreamedEvent> => {
        for (;;) {
          const end = text.indexOf('\n\n')
          if (end === -1) {
            if (!(await read())) throw new Error(`the stream ended: ${text}`)
            continue
          }
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data === undefined) continue
          const event = { name: /^event: (.*)$/m.exec(block)?.[1] ?? 'message', data: JSON.parse(data) }
          if (matches(event)) return event
        }
      }
      return withTimeout(TIMEOUT_MS, find(), () => `no event matched in ${text}`)
    },
    /** Waits for the end of the stream. */
    async end(): Promise<void> {
      const drain = async () => {
        while (await read());
      }
      await withTimeout(TIMEOUT_MS, drain(), 'the stream did not end')
    },
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'
import { RequestLogger } from './request-log.ts'

test('HTTP-30: each line of a request has its id, whatever it is called with', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const logger = new RequestLogger(log, { requestId: 'r1' })
  logger.info({ status: 200 }, 'fields')
  logger.warn('%s alone', 'message')
  logger.error(new Error('broken'))
  logger.debug({ token: 'secret' })
  logger.trace('below the level')
  logger.child({ part: 'p' }).info('child')
  const [fields, message, error, redacted, child] = lines
  assert.ok(lines.every(({ requestId }) => requestId === 'r1'))
  assert.deepEqual([fields?.status, fields?.msg], [200, 'fields'])
  assert.equal(message?.msg, 'message alone')
  assert.equal((error?.err as { message?: string } | undefined)?.message, 'broken')
  assert.equal(redacted?.token, '[redacted]')
  assert.deepEqual([child?.part, lines.length], ['p', 5])
})

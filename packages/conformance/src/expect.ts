import { createValidator, type ErrorEntry, type ErrorStyle } from '@glasses-cloud/contract'
import type { Static, TSchema } from 'typebox'
import { Deviation } from './outcome.ts'
import type { Answer } from './rest-client.ts'

const MAX_SHOWN_LENGTH = 200

/** @throws {Deviation} unless the condition holds */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Deviation(message)
}

/** Expects a status, and no other. */
export function expectStatus(answer: Answer, status: number): void {
  expect(
    answer.status === status,
    `${answer.request}: expected status ${status}, received ${answer.status} ${shorten(answer.body)}`,
  )
}

/** Expects a value of a schema of the contract. */
export function expectMatch<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  what: string,
): Static<Schema> {
  const validator = createValidator(schema)
  if (validator.Check(value)) return value
  const [error] = validator.Errors(value)
  const where = error?.instancePath ? ` at ${error.instancePath}` : ''
  throw new Deviation(
    `${what}${where}: ${error?.message ?? 'does not fit its schema'}; received ${shorten(value)}`,
  )
}

/** Expects status 200 and a body of a schema. */
export function expectBody<Schema extends TSchema>(schema: Schema, answer: Answer): Static<Schema> {
  expectStatus(answer, 200)
  return expectMatch(schema, answer.body, answer.request)
}

/** Expects an error of the catalogue, in the style of the endpoint's group. */
export function expectError(answer: Answer, error: ErrorEntry, style: ErrorStyle, code = ''): void {
  expectStatus(answer, error.status)
  const expected: Record<string, unknown> = {
    envelope: { success: false, message: error.message },
    bare: { error: error.message },
    coded: { error: code },
    supabase: { code: error.status, msg: error.message },
  }[error.style ?? style]
  for (const [field, value] of Object.entries(expected)) {
    const received = isRecord(answer.body) ? answer.body[field] : undefined
    expect(
      received === value,
      `${answer.request}: expected ${field} ${JSON.stringify(value)}, received ${shorten(answer.body)}`,
    )
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as JSON, cut to a length that fits into a line of the report. */
export function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

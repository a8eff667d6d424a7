import type { Message } from '@glasses-cloud/contract'

export { fromApp } from './from-app.ts'
export { fromGlasses } from './from-glasses.ts'
export { toApp } from './to-app.ts'
export { toGlasses } from './to-glasses.ts'

type Fields<One> = One extends unknown ? Omit<One, 'type'> : never

/** One example for each type of a union of messages: its fields. What lacks a type, or a field, does not compile. */
export type Examples<All extends { readonly type: string }> = {
  readonly [Type in All['type']]: Fields<Extract<All, { readonly type: Type }>> &
    Readonly<Record<string, unknown>>
}

/** The examples as messages. */
export function messagesIn(examples: Readonly<Record<string, object>>): Message[] {
  return Object.entries(examples).map(([type, fields]) => ({ type, ...fields }))
}

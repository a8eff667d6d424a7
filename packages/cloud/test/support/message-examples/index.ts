import type { Message } from '@glasses-cloud/contract'

export { fromApp } from './from-app.ts'
export { fromGlasses } from './from-glasses.ts'
export { toApp } from './to-app.ts'
export { toGlasses } from './to-glasses.ts'

type Fields<One> = One extends unknown ? Omit<One, 'type'> : never

/** The fields of one example per type of a message union. A missing type or field is a type error. */
export type Examples<All extends { readonly type: string }> = {
  readonly [Type in All['type']]: Fields<Extract<All, { readonly type: Type }>> &
    Readonly<Record<string, unknown>>
}

/** The examples as complete messages. */
export function messagesIn(examples: Readonly<Record<string, object>>): Message[] {
  return Object.entries(examples).map(([type, fields]) => ({ type, ...fields }))
}

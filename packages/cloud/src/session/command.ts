import { createValidator } from '@glasses-cloud/contract'
import { type Static, type TSchema, Type } from 'typebox'

/** Time for a command that the session answers without waiting for anything outside. */
const DEADLINE_MS = 5_000

/** Time for a command that waits for rows, webhooks or the streaming provider, whose own limits are shorter. */
export const LONG_DEADLINE_MS = 30_000

export interface CommandOptions {
  /** Time in which another node must answer. */
  readonly deadlineMs: number
  /** Whether nothing remains to be done if the session has ended or moved meanwhile. */
  readonly isDoneIfGone: boolean
}

/**
 * A command of the rest of the cloud to a part of a session. It is called through a `SessionHandle`, on the node of the
 * session or on another one; between nodes, arguments and result are checked against its schemas.
 */
export interface Command<
  Part extends object = object,
  Args extends readonly unknown[] = readonly unknown[],
  Result = unknown,
> extends CommandOptions {
  run(part: Part, ...args: Args): Result | Promise<Result>
  /** Whether the values are arguments of the command. Arguments that are missing at the end are undefined. */
  acceptsArgs(args: readonly unknown[]): boolean
  acceptsResult(result: unknown): boolean
}

export type Commands = Readonly<Record<string, Command>>

type Statics<Schemas extends readonly TSchema[]> = {
  -readonly [Index in keyof Schemas]: Static<Schemas[Index]>
}

/**
 * Declares a command of a part: the schemas of its arguments and of its result, and the function that runs it.
 * @example isPhotoPending: command([Type.String()], Type.Boolean(), (buttons: Buttons, id) => buttons.isPhotoPending(id))
 */
export function command<Part extends object, const Args extends readonly TSchema[], Result extends TSchema>(
  args: Args,
  result: Result,
  run: (part: Part, ...args: Statics<Args>) => Static<Result> | Promise<Static<Result>>,
  { deadlineMs = DEADLINE_MS, isDoneIfGone = false }: Partial<CommandOptions> = {},
): Command<Part, Statics<Args>, Static<Result>> {
  const argsValidator = createValidator(Type.Tuple([...args]))
  const resultValidator = createValidator(result)
  return {
    deadlineMs,
    isDoneIfGone,
    run,
    acceptsArgs: (values) =>
      values.length <= args.length && argsValidator.Check(args.map((_, index) => values[index])),
    acceptsResult: (value) => resultValidator.Check(value),
  }
}

/** Schema of an argument or a result that may be undefined. */
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Undefined()])

/** Schema of bytes. */
export const bytes = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array)

/** Returns a promise of what the task passes to its callbacks. Exceptions of the task are thrown. */
export function promiseOf<Value>(
  task: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  task(resolve, reject)
  return promise
}

import { type Command, SESSION_COMMANDS, type SessionCommands, type UserSession } from '../session/index.ts'

/**
 * A live user session as the rest of the cloud sees it, on whichever node it runs: a method for each command that a part
 * of the session declares. Arguments and results are plain data, because the session may run in another process.
 */
export type SessionHandle = { readonly userSessionId: string } & {
  readonly [Name in keyof SessionCommands]: SessionCommands[Name] extends Command<
    infer _Part,
    infer Args,
    infer Result
  >
    ? (...args: Args) => Promise<Result>
    : never
}

/** Finds the live sessions of users, on whichever node they run. */
export interface SessionDirectory {
  /** Returns the live session of a user. */
  find(userId: string): Promise<SessionHandle | undefined>
  findBySessionId(userSessionId: string): Promise<SessionHandle | undefined>
  /** Reloads a changed app in the live sessions of this node that run it; other nodes notice the change themselves. */
  appChanged(packageName: string): Promise<void>
  /** Applies the permissions that a user accepted, if this node hosts the session; other nodes notice the change themselves. */
  accessChanged(userId: string): Promise<void>
}

/** @param call runs a command of the session */
export function createHandle(
  userSessionId: string,
  call: (name: string, args: readonly unknown[], command: Command) => unknown,
): SessionHandle {
  const methods = [...SESSION_COMMANDS].map(([name, command]): [string, SessionMethod] => [
    name,
    async (...args) => call(name, args, command),
  ])
  return { userSessionId, ...Object.fromEntries(methods) } as SessionHandle
}

type SessionMethod = (...args: readonly unknown[]) => Promise<unknown>

/** Creates a handle of a session of this process. An exception of a part ends the session and rejects the call. */
export function createLocalHandle(session: UserSession): SessionHandle {
  return createHandle(session.userSessionId, (name, args) => session.run(name, args))
}

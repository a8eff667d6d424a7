import { inTransaction } from '../db/index.ts'
import { recordOperatorAct } from '../features/audit/index.ts'
import {
  LastAdministrator,
  normalizeEmail,
  requireOtherAdministrator,
  type User,
  UserStore,
} from '../identity/index.ts'
import {
  type Command,
  CommandError,
  formatTable,
  print,
  readArguments,
  textOption,
  UsageError,
} from './command.ts'
import { issueToken, withOperator } from './operator.ts'

/** Prints only the token, for use in `$(…)`. */
export const token: Command = {
  name: 'token',
  args: 'EMAIL [--scope glasses] [--expires 1h]',
  summary: 'Print a token for a user, created if there is no such user',
  details: [
    '--scope glasses   restrict the token to the glasses socket, the gallery, photo uploads and /api/hardware; default: core',
    '--expires SPAN    lifetime, such as 30s, 15m, 1h or 7d; default: 24h',
  ],
  options: { scope: { type: 'string' }, expires: { type: 'string' } },
  async run(input) {
    const [email] = readArguments(input, ['EMAIL'])
    const scope = textOption(input, 'scope') ?? 'core'
    if (scope !== 'core' && scope !== 'glasses') throw new UsageError('--scope must be core or glasses')
    const lifetimeMs = parseDuration(textOption(input, 'expires') ?? '24h')
    if (lifetimeMs === undefined)
      throw new UsageError('--expires must be a duration such as 30s, 15m, 1h or 7d')
    print(
      input,
      await withOperator(input.config(), (operator) => issueToken(operator, email, { scope, lifetimeMs })),
    )
  },
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration such as `30s`, `15m`, `1h` or `7d` to ms; undefined if it is invalid or exceeds ten years. */
function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
  return ms > 0 && ms <= 3_650 * 86_400_000 ? ms : undefined
}

export const userAdmin: Command = {
  name: 'user admin',
  args: 'EMAIL [--revoke]',
  summary: 'Make a user an administrator of this cloud, created if there is no such user',
  details: ['--revoke   make the user an ordinary one again'],
  options: { revoke: { type: 'boolean' } },
  async run(input) {
    const [address] = readArguments(input, ['EMAIL'])
    const email = normalizeEmail(address)
    if (email === undefined) throw new CommandError(`"${address}" is not a valid e-mail address`)
    const isAdministrator = input.values.revoke !== true
    await withOperator(input.config(), async ({ db, users, audit }) => {
      const now = Date.now()
      const user = isAdministrator ? await users.findOrCreate(email, now) : await users.findByEmail(email)
      if (user === undefined) throw unknownUser(email)
      if (isAdministrator) requireConfirmed(user)
      const action = isAdministrator ? 'user.promote' : 'user.demote'
      await inTransaction(db, async (trx) => {
        if (!isAdministrator) await requireOtherAdministrator(trx, user.id)
        await new UserStore(trx).setAdministrator(user.id, isAdministrator, now)
        await recordOperatorAct(audit.within(trx), { action, target: user.id }, now)
      }).catch((cause: unknown) => {
        throw cause instanceof LastAdministrator ? lastAdministrator(email) : cause
      })
      print(input, JSON.stringify({ id: user.id, email, isAdministrator }))
    })
  },
}

const lastAdministrator = (email: string) =>
  new CommandError(
    `${email} is the last administrator of this cloud. Make another user an administrator first: "user admin EMAIL"`,
  )

const unknownUser = (email: string) => new CommandError(`There is no user with the e-mail address ${email}`)

/** Throws for a user whose address may be that of somebody else. */
export function requireConfirmed({ email, isEmailVerified }: User): void {
  if (isEmailVerified) return
  throw new CommandError(
    `The address ${email} is not confirmed: somebody else may have signed up with it. If the account is known to be theirs, run "user confirm ${email}" first`,
  )
}

export const userConfirm: Command = {
  name: 'user confirm',
  args: 'EMAIL',
  summary: 'Record that a user owns their e-mail address, instead of the link in a message',
  options: {},
  async run(input) {
    const [address] = readArguments(input, ['EMAIL'])
    const email = normalizeEmail(address)
    if (email === undefined) throw new CommandError(`"${address}" is not a valid e-mail address`)
    await withOperator(input.config(), async ({ db, users, audit }) => {
      const now = Date.now()
      const user = await users.findByEmail(email)
      if (user === undefined) throw unknownUser(email)
      await inTransaction(db, async (trx) => {
        await new UserStore(trx).setEmailVerified(user.id, now)
        await recordOperatorAct(audit.within(trx), { action: 'user.confirm', target: user.id }, now)
      })
      print(input, JSON.stringify({ id: user.id, email, isEmailVerified: true }))
    })
  },
}

export const userList: Command = {
  name: 'user list',
  args: '[--json]',
  summary: 'List the users',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
    const users = await withOperator(input.config(), (operator) => operator.users.list())
    const listed = users.map(({ id, email, name, isAdministrator, suspendedAt, createdAt }) => {
      const isSuspended = suspendedAt !== undefined
      return { id, email, name, isAdministrator, isSuspended, createdAt: new Date(createdAt).toISOString() }
    })
    if (input.values.json === true) print(input, JSON.stringify(listed))
    else {
      const rows = listed.map(({ id, email, name, createdAt, ...state }) => {
        const access = [state.isAdministrator && 'administrator', state.isSuspended && 'suspended']
        return [email, name, access.filter(Boolean).join(', '), createdAt, id]
      })
      print(input, formatTable([['EMAIL', 'NAME', 'ACCESS', 'CREATED', 'ID'], ...rows]))
    }
  },
}

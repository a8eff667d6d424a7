import { type Config, loadAuthSecret } from '../config/index.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { AuditStore } from '../features/audit/index.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { IncidentStore } from '../features/incidents/index.ts'
import { PhoneReportStore } from '../features/phone/index.ts'
import {
  ApiKeyStore,
  normalizeEmail,
  OrganizationStore,
  type TokenScope,
  Tokens,
  UserStore,
} from '../identity/index.ts'
import { CommandError } from './command.ts'

/** Stores and tokens for the commands, which work whether or not the server is running. */
export interface Operator {
  readonly db: Database
  readonly audit: AuditStore
  readonly users: UserStore
  readonly organizations: OrganizationStore
  readonly apps: AppStore
  readonly apiKeys: ApiKeyStore
  readonly phoneReports: PhoneReportStore
  readonly incidents: IncidentStore
  readonly tokens: Tokens
}

export function createOperator(
  db: Database,
  tokens: Tokens,
  secrets: readonly [string, ...string[]],
): Operator {
  return {
    db,
    audit: new AuditStore(db, secrets[0]),
    users: new UserStore(db),
    organizations: new OrganizationStore(db),
    apps: new AppStore(db),
    apiKeys: new ApiKeyStore(db, secrets),
    phoneReports: new PhoneReportStore(db),
    incidents: new IncidentStore(db),
    tokens,
  }
}

/** Opens the configured database, runs the work, and closes the database. */
export async function withDatabase<Result>(
  { data }: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Runs work with the stores of the configured database. */
export async function withOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const { secret: configured, previousSecret, acceptNonExpiringTokens: acceptNonExpiring } = config.auth
  const secret = await loadAuthSecret(configured, config.data.dir)
  const tokens = new Tokens({ secret, previousSecret, acceptNonExpiring })
  return withDatabase(config, (db) =>
    work(createOperator(db, tokens, previousSecret === undefined ? [secret] : [secret, previousSecret])),
  )
}

/** Issues a token for the user with an e-mail address, creating the user if necessary. */
export async function issueToken(
  operator: Operator,
  address: string,
  options: { readonly scope?: TokenScope; readonly lifetimeMs?: number } = {},
): Promise<string> {
  const email = normalizeEmail(address)
  if (email === undefined) throw new CommandError(`"${address}" is not a valid e-mail address`)
  const user = await operator.users.findOrCreate(email, Date.now())
  return operator.tokens.issue(user, options)
}

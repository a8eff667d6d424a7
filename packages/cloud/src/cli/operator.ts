import { type Config, loadAuthSecret } from '../config/index.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { IncidentStore } from '../features/incidents/index.ts'
import { PhoneReportStore } from '../features/phone/index.ts'
import { ApiKeyStore, OrganizationStore, Tokens, UserStore } from '../identity/index.ts'

/** Stores and tokens for the commands, which work whether or not the server is running. */
export interface Operator {
  readonly users: UserStore
  readonly organizations: OrganizationStore
  readonly apps: AppStore
  readonly apiKeys: ApiKeyStore
  readonly phoneReports: PhoneReportStore
  readonly incidents: IncidentStore
  readonly tokens: Tokens
}

export function createOperator(db: Database, tokens: Tokens): Operator {
  return {
    users: new UserStore(db),
    organizations: new OrganizationStore(db),
    apps: new AppStore(db),
    apiKeys: new ApiKeyStore(db),
    phoneReports: new PhoneReportStore(db),
    incidents: new IncidentStore(db),
    tokens,
  }
}

/** Opens the configured database, runs the work, and closes the database. */
export async function withOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const secret = await loadAuthSecret(config.auth.secret, config.data.dir)
  const db = await openDatabase({ databaseUrl: config.data.databaseUrl, dataDir: config.data.dir })
  try {
    return await work(
      createOperator(
        db,
        new Tokens({
          secret,
          previousSecret: config.auth.previousSecret,
          acceptNonExpiring: config.auth.acceptNonExpiringTokens,
        }),
      ),
    )
  } finally {
    await db.destroy()
  }
}

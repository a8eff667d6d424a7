import type { Endpoint } from '../../../http/endpoint.ts'
import type { TokenEndpointDeps } from './deps.ts'
import { exchangeToken } from './exchange-token.ts'
import { issueAppToken } from './issue-app-token.ts'
import { issueGlassesToken } from './issue-glasses-token.ts'
import { logOut, logOutOfEverything } from './log-out.ts'
import { listLogins, removeLogin } from './logins.ts'
import { personalTokenEndpoints } from './personal-tokens/index.ts'
import { refreshToken } from './refresh-token.ts'

/** Issues, refreshes and revokes the tokens of phones, glasses, apps and programs, under `/api/auth`. */
export const tokenEndpoints = (deps: TokenEndpointDeps): Endpoint[] => [
  exchangeToken(deps),
  issueGlassesToken(deps),
  issueAppToken(deps),
  refreshToken(deps),
  logOut(deps),
  logOutOfEverything(deps),
  listLogins(deps),
  removeLogin(deps),
  ...personalTokenEndpoints(deps),
]

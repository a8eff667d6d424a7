import { exchangeToken } from './exchange-token.ts'
import { glassesTokenEndpoint } from './glasses-token.ts'
import { logOut } from './log-out.ts'
import { refreshToken } from './refresh-token.ts'

/** Endpoints under `/api/auth`. */
export const identityEndpoints = [exchangeToken, glassesTokenEndpoint, refreshToken, logOut]

import { exchangeToken } from './exchange-token.ts'
import { glassesTokenEndpoint } from './glasses-token.ts'

/** Endpoints under `/api/auth`. */
export const identityEndpoints = [exchangeToken, glassesTokenEndpoint]

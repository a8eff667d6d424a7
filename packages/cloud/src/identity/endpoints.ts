import { glassesTokenEndpoint } from './glasses-token.ts'

/** Endpoints under `/api/auth`. */
export const identityEndpoints = [glassesTokenEndpoint]

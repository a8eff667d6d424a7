/**
 * Returns the token of an `Authorization: Bearer …` header. The strings `null` and `undefined`, which clients without a
 * token send by mistake, count as absent.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}

/**
 * The token of an `Authorization: Bearer …` header. What clients without a token send by mistake, the words `null`
 * and `undefined`, is no token.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}

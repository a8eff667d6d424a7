/** The issuer does not respond, or not according to its protocol. */
export class IssuerUnavailable extends Error {
  constructor(cause: unknown) {
    super('The identity provider cannot be reached', { cause })
    this.name = 'IssuerUnavailable'
  }
}

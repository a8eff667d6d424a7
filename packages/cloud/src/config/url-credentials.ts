/**
 * Encodes each `%` of a user or password in a URL that encodes nothing: people write passwords as they are, and decoding
 * `100%sure` fails.
 */
export function encodeStrayPercents(credential: string): string {
  return credential.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
}

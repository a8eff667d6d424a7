/** Loads the X.509 library, which issues certificates, on first use: most clouds issue none. */
export const loadX509 = async () => (await import('./x509.ts')).x509

/** Loads the client of ACME on first use: a certificate is ordered every other month. */
export const loadAcmeClient = async () => (await import('./acme/acme-client.ts')).acme

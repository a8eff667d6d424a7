/** Loads what issues certificates, on first use: most clouds issue none. It needs a polyfill that it does not load itself. */
export async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** Loads the client of ACME, on first use: a certificate is ordered every other month. It uses the library above. */
export async function loadAcmeClient() {
  await import('reflect-metadata')
  return import('acme-client')
}

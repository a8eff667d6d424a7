import { X509Certificate } from 'node:crypto'
import type { PlainResponse } from '../redirect-server.ts'

/** Where the authority is offered over plain HTTP, for devices that do not trust it yet. */
const AUTHORITY_PAGE = '/tls'

export const AUTHORITY_FILE = '/tls/authority.crt'

/** The media type that makes phones offer to install a certificate. */
export const AUTHORITY_TYPE = 'application/x-x509-ca-cert'

const FILE_HEADERS = { 'content-disposition': 'attachment; filename="glasses-cloud.crt"' }

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Returns the file of the authority: the certificate in DER. */
export function authorityFile(pem: string): Buffer {
  return new X509Certificate(pem).raw
}

/** Returns the SHA-256 of the authority in hex, with colons. */
export function authorityFingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256
}

/** Answers requests for the authority; undefined for other paths. */
export function answerAuthority(pem: string, path: string): PlainResponse | undefined {
  if (path === AUTHORITY_FILE)
    return { status: 200, contentType: AUTHORITY_TYPE, body: authorityFile(pem), headers: FILE_HEADERS }
  if (path !== AUTHORITY_PAGE) return undefined
  const headers = { 'content-security-policy': POLICY }
  return { status: 200, contentType: 'text/html; charset=utf-8', body: pageOf(pem), headers }
}

function pageOf(pem: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Trust this Glasses Cloud</title>
<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}code{overflow-wrap:anywhere}</style></head>
<body><h1>Trust this Glasses Cloud</h1>
<ol><li><a href="${AUTHORITY_FILE}">Download the authority</a>.</li>
<li>Compare its SHA-256 fingerprint, which your device shows before or after you install it, with the one on the computer of
the cloud: in the console under <b>Connect your glasses</b>, or with <code>doctor</code>. This page came without encryption, so
do not trust the fingerprint here alone:<br><code>${authorityFingerprint(pem)}</code></li>
<li>Android: Settings, Security, More security settings, Encryption &amp; credentials, Install a certificate, CA certificate.</li>
<li>iPhone and iPad: Settings, Profile downloaded, Install; then Settings, General, About, Certificate Trust Settings, and
switch it on.</li></ol>
<p>It may only vouch for names and addresses of home networks, not for websites on the internet.</p></body></html>
`
}

import type { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { Extension, JsonGeneralName, X509Certificate } from '@peculiar/x509'
import type { KeyPair } from './key-pair.ts'
import { loadX509 } from './libraries.ts'

/** Keys of P-256, which every client of the last ten years knows. */
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A certificate to be issued. */
export interface CertificateRequest {
  readonly commonName: string
  /** DNS names and IP addresses; empty for an authority. */
  readonly names: readonly string[]
  /** Epoch ms. */
  readonly notBefore: number
  /** Epoch ms. */
  readonly notAfter: number
  /** Who signs it; undefined: its own key. */
  readonly issuer?: KeyPair
  /** DNS names, with those below them, and networks such as `10.0.0.0/8`, that an authority may issue for. */
  readonly permitted?: readonly string[]
}

/**
 * Issues a certificate for a server, or for an authority if it has `permitted` names.
 * @returns the certificate without those of its issuer
 */
export async function issueCertificate(request: CertificateRequest): Promise<KeyPair> {
  const x509 = await loadX509()
  const { commonName, names, issuer, permitted } = request
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const usages = x509.KeyUsageFlags
  const parent = issuer && new x509.X509Certificate(issuer.certificate)
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(permitted !== undefined, permitted && 0, true),
    new x509.KeyUsagesExtension(
      permitted ? usages.keyCertSign | usages.cRLSign : usages.digitalSignature,
      true,
    ),
    await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ...(parent ? [await x509.AuthorityKeyIdentifierExtension.create(parent.publicKey)] : []),
    ...(permitted
      ? [await nameConstraints(permitted)]
      : [
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(names.map(generalNameOf)),
        ]),
  ]
  const common = {
    serialNumber: serialNumber(),
    notBefore: new Date(request.notBefore),
    notAfter: new Date(request.notAfter),
    signingAlgorithm: ALGORITHM,
    extensions,
  }
  const subject = [{ CN: [commonName] }]
  const certificate: X509Certificate =
    issuer && parent
      ? await x509.X509CertificateGenerator.create({
          ...common,
          subject,
          issuer: parent.subject,
          publicKey: keys.publicKey,
          signingKey: await importKey(issuer.key),
        })
      : await x509.X509CertificateGenerator.createSelfSigned({ ...common, name: subject, keys })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
  }
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const { PemConverter } = await loadX509()
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign'])
}

function generalNameOf(name: string): JsonGeneralName {
  return isIP(name) === 0 ? { type: 'dns', value: name } : { type: 'ip', value: name }
}

/** Returns a positive number of 16 bytes in hex. */
function serialNumber(): string {
  const bytes = crypto.getRandomValues(Buffer.alloc(16))
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0)
  return bytes.toString('hex')
}

/** Limits the names that an authority may issue for, which also limits what a stolen key is good for. */
async function nameConstraints(permitted: readonly string[]): Promise<Extension> {
  const [{ Extension }, asn1, { AsnConvert }] = await Promise.all([
    loadX509(),
    import('@peculiar/asn1-x509'),
    import('@peculiar/asn1-schema'),
  ])
  const subtrees = permitted.map(
    (name) =>
      new asn1.GeneralSubtree({
        base: new asn1.GeneralName(name.includes('/') ? { iPAddress: name } : { dNSName: name }),
      }),
  )
  const constraints = new asn1.NameConstraints({ permittedSubtrees: new asn1.GeneralSubtrees(subtrees) })
  return new Extension(asn1.id_ce_nameConstraints, true, AsnConvert.serialize(constraints))
}

/** Returns the names that an authority may issue for, in the form of `permitted`; empty if it is not limited. */
export async function permittedNamesOf(pem: string): Promise<string[]> {
  const [{ X509Certificate }, asn1, { AsnConvert }] = await Promise.all([
    loadX509(),
    import('@peculiar/asn1-x509'),
    import('@peculiar/asn1-schema'),
  ])
  const extension = new X509Certificate(pem).getExtension(asn1.id_ce_nameConstraints)
  if (extension === null) return []
  const { permittedSubtrees = [] } = AsnConvert.parse(extension.value, asn1.NameConstraints)
  return [...permittedSubtrees].flatMap(({ base }) => base.dNSName ?? base.iPAddress ?? [])
}

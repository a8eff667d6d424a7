import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '../../src/tls/issue-certificate.ts'
import type { KeyPair } from '../../src/tls/key-pair.ts'
import { trustRoots } from '../../src/tls/open-tls.ts'
import type { Scope } from './scope.ts'

const DAY_MS = 24 * 60 * 60_000

let authority: Promise<KeyPair> | undefined

/** Returns the authority of the tests, which this process trusts. */
export function testAuthority(): Promise<KeyPair> {
  authority ??= issueCertificate({
    commonName: 'Authority of the tests',
    names: [],
    notBefore: Date.now() - DAY_MS,
    notAfter: Date.now() + DAY_MS,
    permitted: ['localhost', 'example.org', '127.0.0.0/8'],
  }).then((issued) => {
    trustRoots([issued.certificate])
    return issued
  })
  return authority
}

/** What a test certificate is to be; by default it is for `localhost` and valid. */
export interface TestCertificate {
  readonly names?: readonly string[]
  readonly notBefore?: number
  readonly notAfter?: number
}

/** Issues a certificate of the authority of the tests. */
export async function testCertificate(options: TestCertificate = {}): Promise<KeyPair> {
  const { names = ['localhost', '127.0.0.1'], notBefore, notAfter } = options
  return issueCertificate({
    commonName: names[0] ?? 'test',
    names,
    notBefore: notBefore ?? Date.now() - DAY_MS / 2,
    notAfter: notAfter ?? Date.now() + DAY_MS / 2,
    issuer: await testAuthority(),
  })
}

/** A folder with a certificate and its key behind a link, as certbot and Kubernetes lay them out. */
export interface CertificateFolder {
  readonly env: { readonly TLS: 'files'; readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string }
  /** Replaces both files in one step, by replacing the link to their folder. */
  replace(pair: KeyPair): Promise<void>
}

/** Creates a folder with a certificate; the scope removes it. */
export async function certificateFolder(scope: Scope, pair: KeyPair): Promise<CertificateFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-tls-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const replace = async ({ certificate, key }: KeyPair) => {
    const data = await mkdtemp(join(folder, '..data-'))
    await writeFile(join(data, 'tls.crt'), certificate)
    await writeFile(join(data, 'tls.key'), key, { mode: 0o600 })
    await symlink(data, join(folder, 'next'))
    await rename(join(folder, 'next'), join(folder, 'current'))
  }
  await replace(pair)
  return {
    env: {
      TLS: 'files',
      TLS_CERT_FILE: join(folder, 'current', 'tls.crt'),
      TLS_KEY_FILE: join(folder, 'current', 'tls.key'),
    },
    replace,
  }
}

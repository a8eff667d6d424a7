import { useQuery } from '@tanstack/react-query'
import { authorityQuery } from '../../api/authority.ts'
import { CopyField } from '../../components/CopyField.tsx'

const STEPS = [
  'Open the page on the device and download the authority. The page is not encrypted yet: compare the fingerprint that the device shows with the one here.',
  'Android: Settings, Security, More security settings, Encryption & credentials, Install a certificate, CA certificate.',
  'iPhone and iPad: Settings, Profile downloaded, Install; then Settings, General, About, Certificate Trust Settings, and switch it on.',
] as const

/** How devices come to trust the certificate of a cloud with an authority of its own. */
export function InstallAuthority() {
  const { data } = useQuery(authorityQuery)
  if (data?.fingerprint === undefined) return null
  const { fingerprint, plainPort } = data
  return (
    <section>
      <h4>Let your devices trust this cloud</h4>
      <p className="muted">
        The certificate of this cloud is from an authority of its own, which each phone and computer must know
        once.
      </p>
      {plainPort > 0 && (
        <CopyField
          label="Page to open on the device"
          value={`http://${window.location.hostname}:${plainPort}/tls`}
        />
      )}
      <CopyField label="SHA-256 fingerprint of the authority" value={fingerprint} />
      <p>
        <a href="/tls/authority.crt" download>
          Download the authority
        </a>
      </p>
      <ol>
        {STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

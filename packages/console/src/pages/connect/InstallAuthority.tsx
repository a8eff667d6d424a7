import { useQuery } from '@tanstack/react-query'
import { authorityQuery } from '../../api/authority.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { connectTexts } from './connect.texts.ts'

const texts = connectTexts.authority

/** How devices come to trust the certificate of a cloud with an authority of its own. */
export function InstallAuthority() {
  const { data } = useQuery(authorityQuery)
  if (data?.fingerprint === undefined) return null
  const { fingerprint, plainPort } = data
  return (
    <section>
      <h4>{texts.title}</h4>
      <p className="muted">{texts.description}</p>
      {plainPort > 0 && (
        <CopyField label={texts.address} value={`http://${window.location.hostname}:${plainPort}/tls`} />
      )}
      <CopyField label={texts.fingerprint} value={fingerprint} />
      <p>
        <a href="/tls/authority.crt" download>
          {texts.download}
        </a>
      </p>
      <ol>
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

import type { HandedInvitation } from '../../api/organizations.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import styles from './HandedLink.module.css'
import { invitationTexts } from './organizations.texts.ts'

/** The link of an invitation for the person who invites, and whether it was sent as well. */
export function HandedLink({ invitation }: { readonly invitation: HandedInvitation }) {
  const { email, link, isMailed } = invitation
  const { label, mailed, notMailed } = invitationTexts.handed
  return (
    <Notice tone={isMailed ? 'success' : 'warning'} title={isMailed ? mailed(email) : notMailed(email)}>
      <div className={styles.link}>
        <CopyField label={label(email)} value={link} />
      </div>
    </Notice>
  )
}

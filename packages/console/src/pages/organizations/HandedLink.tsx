import type { HandedInvitation } from '../../api/organizations.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { Notice } from '../../components/Notice.tsx'
import styles from './HandedLink.module.css'

/** The link of an invitation for the person who invites, and whether it was sent as well. */
export function HandedLink({ invitation }: { readonly invitation: HandedInvitation }) {
  const { email, link, isMailed } = invitation

  return (
    <Notice
      tone={isMailed ? 'success' : 'warning'}
      title={
        isMailed
          ? `A message with a link is on its way to ${email}. You can hand over this link as well.`
          : `No message was sent, because this cloud has no mail server. Hand over this link to ${email} yourself.`
      }
    >
      <div className={styles.link}>
        <CopyField label={`Link for ${email}, shown once`} value={link} />
      </div>
    </Notice>
  )
}

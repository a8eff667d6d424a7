import { validateSettingDeclarations } from '@glasses-cloud/contract'
import { Badge } from '../../../components/Badge.tsx'
import { hardware, permissions as permissionTexts } from '../../../permissions.ts'
import type { AppDraft, Entry, ToolDraft } from './app-draft.ts'
import { SettingPreview } from './SettingPreview.tsx'
import styles from './WearerPreview.module.css'

/** An app as its wearers see it: what it may use, what it needs, its settings and what assistants can do with it. */
export function WearerPreview({ draft }: { readonly draft: AppDraft }) {
  const { name, description, permissions, hardwareRequirements, settings, tools, wakeWords } = draft
  return (
    <aside className={styles.preview} aria-label="What wearers see">
      <h2>What wearers see</h2>
      <p className="muted">Try it: it changes nothing.</p>
      <div className={styles.phone}>
        <h3>{name || 'App without a name'}</h3>
        {description !== '' && <p>{description}</p>}
        <h4>Permissions</h4>
        {permissions.length === 0 ? (
          <p className="muted">This app needs no permissions.</p>
        ) : (
          <ul>
            {permissions.map(({ id, value: { type, description: reason } }) => (
              <li key={id}>
                <strong>{permissionTexts[type].name}</strong>
                <br />
                {permissionTexts[type].meaning} {reason}
              </li>
            ))}
          </ul>
        )}
        {hardwareRequirements.length > 0 && (
          <>
            <h4>Hardware</h4>
            <ul>
              {hardwareRequirements.map(({ id, value: { type, level, description: reason } }) => (
                <li key={id}>
                  <strong>{hardware[type]}</strong> {level === 'REQUIRED' && <Badge>Required</Badge>} {reason}
                </li>
              ))}
            </ul>
          </>
        )}
        {settings.length > 0 && (
          <>
            <h4>Settings</h4>
            {settings.map(({ id, value }) =>
              validateSettingDeclarations([value]).length === 0 ? (
                // A changed declaration starts with its default again.
                <SettingPreview key={`${id} ${JSON.stringify(value)}`} setting={value} />
              ) : (
                <p key={id} className="muted">
                  Not complete yet
                </p>
              ),
            )}
          </>
        )}
        {wakeWords.length > 0 && (
          <>
            <h4>Say to call it</h4>
            <ul>
              {wakeWords.map(({ id, value: { phrase } }) => (
                <li key={id}>{phrase || 'Not complete yet'}</li>
              ))}
            </ul>
          </>
        )}
        {tools.length > 0 && <ToolsPreview tools={tools} />}
      </div>
    </aside>
  )
}

function ToolsPreview({ tools }: { readonly tools: readonly Entry<ToolDraft>[] }) {
  return (
    <>
      <h4>Ask your assistant to</h4>
      <ul>
        {tools.map(({ id, value: { id: toolId, description, activationPhrases } }) => (
          <li key={id}>
            <strong>{description || toolId || 'Not complete yet'}</strong>
            {activationPhrases
              .split('\n')
              .filter((phrase) => phrase.trim() !== '')
              .map((phrase) => (
                <div key={phrase} className="muted">
                  {`“${phrase.trim()}”`}
                </div>
              ))}
          </li>
        ))}
      </ul>
    </>
  )
}

import { validateSettingDeclarations } from '@glasses-cloud/contract'
import { Badge } from '../../../components/Badge.tsx'
import { hardware, permissions as permissionTexts } from '../../../permissions.ts'
import type { AppDraft, Entry, ToolDraft } from './app-draft.ts'
import { formTexts } from './form.texts.ts'
import { SettingPreview } from './SettingPreview.tsx'
import styles from './WearerPreview.module.css'

const { preview: texts } = formTexts

/** An app as its wearers see it: what it may use, what it needs, its settings and what assistants can do with it. */
export function WearerPreview({ draft }: { readonly draft: AppDraft }) {
  const { name, description, permissions, hardwareRequirements, settings, tools, wakeWords } = draft
  return (
    <aside className={styles.preview} aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="muted">{texts.hint}</p>
      <div className={styles.phone}>
        <h3>{name || texts.unnamed}</h3>
        {description !== '' && <p>{description}</p>}
        <h4>{texts.permissions}</h4>
        {permissions.length === 0 ? (
          <p className="muted">{texts.noPermissions}</p>
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
            <h4>{texts.hardware}</h4>
            <ul>
              {hardwareRequirements.map(({ id, value: { type, level, description: reason } }) => (
                <li key={id}>
                  <strong>{hardware[type]}</strong> {level === 'REQUIRED' && <Badge>{texts.required}</Badge>}{' '}
                  {reason}
                </li>
              ))}
            </ul>
          </>
        )}
        {settings.length > 0 && (
          <>
            <h4>{texts.settings}</h4>
            {settings.map(({ id, value }) =>
              validateSettingDeclarations([value]).length === 0 ? (
                // A changed declaration starts with its default again.
                <SettingPreview key={`${id} ${JSON.stringify(value)}`} setting={value} />
              ) : (
                <p key={id} className="muted">
                  {texts.incomplete}
                </p>
              ),
            )}
          </>
        )}
        {wakeWords.length > 0 && (
          <>
            <h4>{texts.wakeWords}</h4>
            <ul>
              {wakeWords.map(({ id, value: { phrase } }) => (
                <li key={id}>{phrase || texts.incomplete}</li>
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
      <h4>{texts.tools}</h4>
      <ul>
        {tools.map(({ id, value: { id: toolId, description, activationPhrases } }) => (
          <li key={id}>
            <strong>{description || toolId || texts.incomplete}</strong>
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

import { useQuery } from '@tanstack/react-query'
import { newKeyQuery, useKeyChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'
import { firstAppTexts as texts } from './first-app.texts.ts'
import { firstApp } from './first-app.ts'

/** A working first app for the app of the page, with all steps until its words are on the lens. */
export function FirstAppPage() {
  const { packageName, publicUrl, name } = useDeveloperApp()
  const { data: apiKey } = useQuery(newKeyQuery(packageName))
  const cloudUrl = window.location.origin
  const files = firstApp({ packageName, publicUrl, cloudUrl, apiKey: apiKey ?? undefined })
  return (
    <>
      {!isLocal(cloudUrl) && isLocal(publicUrl) && (
        <Notice tone="warning" title={texts.unreachable.title}>
          {texts.unreachable.hint(publicUrl)}
        </Notice>
      )}
      <Step step={texts.steps.install}>
        <CodeBlock label={texts.terminal} code={files.install} />
      </Step>
      <Step step={texts.steps.code}>
        <CodeBlock label="app.mts" code={files.code} />
      </Step>
      <Step step={texts.steps.key}>
        <CodeBlock label=".env" code={files.env} />
        {!apiKey && <MakeKey packageName={packageName} />}
      </Step>
      <Step step={texts.steps.run}>
        <CodeBlock label={texts.terminal} code={files.run} />
      </Step>
      <Step step={texts.steps.test}>
        <div>
          <LinkButton to="/developer/apps/$packageName/connection" params={{ packageName }}>
            {texts.test}
          </LinkButton>
        </div>
      </Step>
      <Step step={texts.steps.wear}>
        <div className={styles.row}>
          <LinkButton to="/store/$packageName" params={{ packageName }}>
            {texts.openStore(name)}
          </LinkButton>
          <LinkButton to="/glasses">{texts.openGlasses}</LinkButton>
        </div>
      </Step>
      <Step step={texts.steps.change}>
        <div>
          <LinkButton to="/developer/apps/$packageName/log" params={{ packageName }}>
            {texts.log}
          </LinkButton>
        </div>
      </Step>
    </>
  )
}

interface StepProps {
  readonly step: { readonly title: string; readonly hint: string }
  readonly children: React.ReactNode
}

function Step({ step: { title, hint }, children }: StepProps) {
  return (
    <Card title={title} description={hint}>
      {children}
    </Card>
  )
}

/** The cloud does not keep keys, so that an earlier one cannot be filled in. */
function MakeKey({ packageName }: { readonly packageName: string }) {
  const { make } = useKeyChanges(packageName)
  const { run, isPending } = useAction(make, { onFailure: reportFailure })
  return (
    <>
      <p className="muted">{texts.makeKey.hint}</p>
      <div>
        <Button isPending={isPending} onPress={() => run()}>
          {texts.makeKey.button}
        </Button>
      </div>
    </>
  )
}

/** Whether only programs on the same machine reach an address. */
function isLocal(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

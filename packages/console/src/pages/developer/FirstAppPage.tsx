import { useQuery } from '@tanstack/react-query'
import { newKeyQuery, useKeyChanges } from '../../api/developer.ts'
import { cloudUrl } from '../../base-path.ts'
import { Button, LinkButton } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { useAction } from '../../components/use-action.ts'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'
import { firstApp } from './first-app.ts'

/** A working first app for the app of the page, with all steps until its words are on the lens. */
export function FirstAppPage() {
  const { packageName, publicUrl, name } = useDeveloperApp()
  const { data: apiKey } = useQuery(newKeyQuery(packageName))
  const url = cloudUrl()
  const files = firstApp({ packageName, publicUrl, cloudUrl: url, apiKey: apiKey ?? undefined })
  return (
    <>
      {!isLocal(url) && isLocal(publicUrl) && (
        <Notice tone="warning" title="This cloud cannot reach your computer at the address of the app">
          {publicUrl} is an address that works on one computer only. Run the app on a server that the cloud
          reaches, or open a tunnel to your computer, and change the address of the app server on the page
          Edit.
        </Notice>
      )}
      <Card
        title="1. Make a folder for the app"
        description="You need Node 24 or newer (nodejs.org). In an empty folder, run:"
      >
        <CodeBlock label="Terminal" code={files.install} />
      </Card>
      <Card title="2. Save the code" description="Save this as app.mts in the folder:">
        <CodeBlock label="app.mts" code={files.code} />
      </Card>
      <Card
        title="3. Save the key"
        description="Save this as .env in the folder. Give it to nobody, and keep it out of version control:"
      >
        <CodeBlock label=".env" code={files.env} />
        {!apiKey && <MakeKey packageName={packageName} />}
      </Card>
      <Card title="4. Run the app" description="Leave it running, and go on here:">
        <CodeBlock label="Terminal" code={files.run} />
      </Card>
      <Card
        title="5. Test the connection"
        description="All hops up to the webhook should work; a remark about TLS or the signature is fine for now. The socket and the key are tested while you wear glasses."
      >
        <div>
          <LinkButton to="/developer/apps/$packageName/connection" params={{ packageName }}>
            Test connection
          </LinkButton>
        </div>
      </Card>
      <Card
        title="6. Wear it"
        description="Install the app in the store. Then open the glasses and put them on; they stay on while you use other pages of the console. Start the app there, type what you say or use the microphone, and read it on the lens."
      >
        <div className={styles.row}>
          <LinkButton to="/store/$packageName" params={{ packageName }}>
            Open {name} in the store
          </LinkButton>
          <LinkButton to="/glasses">Open the glasses</LinkButton>
        </div>
      </Card>
      <Card
        title="7. Make it yours"
        description="Change the words in app.mts, stop the app with Ctrl+C, run it again, and start it again on the glasses. The live log shows everything that happens between the cloud and the app. Before you publish it, let it verify the signature of the cloud, as the guide for apps describes."
      >
        <div>
          <LinkButton to="/developer/apps/$packageName/log" params={{ packageName }}>
            Live log
          </LinkButton>
        </div>
      </Card>
    </>
  )
}

/** The cloud does not keep keys, so that an earlier one cannot be filled in. */
function MakeKey({ packageName }: { readonly packageName: string }) {
  const { make } = useKeyChanges(packageName)
  const { run, isPending } = useAction(make, { onFailure: reportFailure })
  return (
    <>
      <p className="muted">A key is shown only when it is made. Paste yours, or make a new one.</p>
      <div>
        <Button isPending={isPending} onPress={() => run()}>
          Make a new key
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

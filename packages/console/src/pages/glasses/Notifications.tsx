import { randomId } from '@glasses-cloud/phone/browser'
import { useState } from 'react'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { TextField } from '../../components/TextField.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './panels.module.css'
import { useAct, useToolState } from './use-simulator.ts'

const PRIORITIES = [
  { value: 'low', label: 'Low' },
  { value: 'normal', label: 'Normal' },
  { value: 'high', label: 'High' },
] as const

interface Sent {
  readonly id: string
  readonly app: string
  readonly title: string
}

/** Notifications that the phone receives, and that the wearer dismisses. */
export function Notifications({ simulator }: { readonly simulator: Simulator }) {
  const [priority, setPriority] = useState<(typeof PRIORITIES)[number]['value']>('normal')
  const [sent, setSent] = useToolState<readonly Sent[]>('notifications.sent', [])
  const act = useAct(simulator)

  async function send(fields: ReadonlyMap<string, string>) {
    const [app = '', title = '', content = ''] = ['app', 'title', 'content'].map((name) => fields.get(name))
    const id = randomId()
    await simulator.glasses.api.sendNotification({ notificationId: id, app, title, content, priority })
    setSent((before) => [...before, { id, app, title }])
  }

  async function dismiss({ id, app }: Sent) {
    const notification = { notificationId: id, notificationKey: id, packageName: app }
    await simulator.glasses.api.dismissNotification(notification)
    setSent((before) => before.filter((each) => each.id !== id))
  }

  return (
    <Card title="Notification">
      <ActionForm submitLabel="Send the notification" onSubmit={send}>
        <TextField name="app" label="App on the phone" defaultValue="Mail" isRequired />
        <TextField name="title" label="Title" isRequired />
        <TextField name="content" label="Text" />
        <Select label="Priority" options={PRIORITIES} value={priority} onChange={setPriority} />
      </ActionForm>
      {sent.length > 0 && (
        <ul className={styles.list} aria-label="Sent notifications">
          {sent.map((each) => (
            <li key={each.id}>
              {each.title}
              <Button variant="quiet" onPress={() => act(() => dismiss(each))}>
                Dismiss {each.title}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

import { AppServer, type ToolCall } from '@mentra/sdk'

/** An app on the unmodified SDK whose tool `note` returns a text, `forget` returns nothing, and `fail` throws. */
class NoteTools extends AppServer {
  protected override async onToolCall({
    toolId,
    toolParameters,
    userId,
  }: ToolCall): Promise<string | undefined> {
    if (toolId === 'forget') return undefined
    if (toolId === 'fail') throw new Error('no paper')
    return `${userId} noted ${toolParameters.text}`
  }
}

const { API_KEY = '', PACKAGE_NAME = '', PORT } = process.env
await new NoteTools({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()

import { AppServer, type ToolCall } from '@mentra/sdk'

/** An app on the unmodified SDK with a tool. */
class Keeper extends AppServer {
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
await new Keeper({ packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT) }).start()

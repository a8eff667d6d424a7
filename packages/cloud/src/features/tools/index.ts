import { callTool } from './call-tool.ts'
import { listAppTools, listUserTools } from './list-tools.ts'

export { Tools } from './tools.ts'

/** What assistants ask apps to do. */
export const toolEndpoints = [listAppTools, listUserTools, callTool]

import { type Static, Type } from 'typebox'

/** Schema of `display_event.layout`. The text is not wrapped; phones wrap it. */
export const layout = Type.Union([
  Type.Object({ layoutType: Type.Literal('text_wall'), text: Type.String() }),
  Type.Object({
    layoutType: Type.Literal('double_text_wall'),
    topText: Type.String(),
    bottomText: Type.String(),
  }),
  Type.Object({ layoutType: Type.Literal('reference_card'), title: Type.String(), text: Type.String() }),
  Type.Object({
    layoutType: Type.Literal('dashboard_card'),
    leftText: Type.String(),
    rightText: Type.String(),
  }),
  Type.Object({ layoutType: Type.Literal('bitmap_view'), data: Type.String({ description: 'Base64 BMP' }) }),
  Type.Object({
    layoutType: Type.Literal('bitmap_animation'),
    frames: Type.Array(Type.String({ description: 'Base64 BMP' }), { minItems: 1, maxItems: 64 }),
    interval: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds between frames' })),
    repeat: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ layoutType: Type.Literal('clear_view') }),
])

/** A layout for the lens. */
export type Layout = Static<typeof layout>

/** Schema of the two views of a phone; `dashboard` is visible only while the head is up. */
export const view = Type.Union([Type.Literal('main'), Type.Literal('dashboard')])

/** A view of the phone. */
export type View = Static<typeof view>

/** An empty lens, in the one layout that every phone supports. */
export const BLANK_LAYOUT: Layout = { layoutType: 'text_wall', text: '' }

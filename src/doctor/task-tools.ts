import type { JsonSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';

/** Has an argument of every simple type, and an optional one. */
export const REPORT_TOOL: ToolSpec = {
  name: 'make_report',
  description: 'Makes a report of what was found and prints it.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'The title on the first page.' },
      copies: { type: 'integer', description: 'How many are printed.' },
      draft: { type: 'boolean', description: 'Whether it is a draft.' },
      tags: { type: 'array', items: { type: 'string' }, description: 'What it is found by.' },
      note: { type: 'string', description: 'For the printer.' },
    },
    required: ['title', 'copies', 'draft', 'tags'],
  },
};

interface OrderTool {
  readonly spec: ToolSpec;
  /** The user's request for this tool; `ORDER` is replaced by the number. */
  readonly wish: string;
}

const order: JsonSchema = {
  type: 'object',
  properties: { order: { type: 'integer', description: 'The number of the order.' } },
  required: ['order'],
};

const tool = (name: string, description: string, wish: string): OrderTool => ({
  spec: { name, description, parameters: order },
  wish,
});

/** Twelve tools that are easily confused. */
export const ORDER_TOOLS: readonly OrderTool[] = [
  tool('show_order', 'Shows what was ordered.', 'Show me what was ordered in order ORDER.'),
  tool('show_order_status', 'Shows how far an order is.', 'How far is order ORDER?'),
  tool(
    'show_order_history',
    'Lists every change of an order.',
    'List every change that order ORDER has seen.',
  ),
  tool('cancel_order', 'Ends an order before it is sent.', 'End order ORDER; it has not been sent yet.'),
  tool(
    'return_order',
    'Takes back an order that has arrived.',
    'Order ORDER has arrived and is to be taken back.',
  ),
  tool('repeat_order', 'Orders the same once more.', 'Order the same as in order ORDER once more.'),
  tool('pause_order', 'Holds an order until it is resumed.', 'Hold order ORDER for now.'),
  tool('resume_order', 'Goes on with an order that is held.', 'Order ORDER is held; let it go on.'),
  tool('pay_order', 'Pays what is open of an order.', 'Pay what is open of order ORDER.'),
  tool('refund_order', 'Gives the money for an order back.', 'Give the money for order ORDER back.'),
  tool('print_order_invoice', 'Prints the invoice of an order.', 'Print the invoice of order ORDER.'),
  tool(
    'print_order_label',
    'Prints the address label of an order.',
    'Print the address label for the parcel of order ORDER.',
  ),
];

import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Finds no fault with what servers answer: models read it, nothing relies on its shape, and a pattern in a stranger's
 * schema would run here. It stands in for the checker that the SDK would bring along.
 */
export const laxValidator: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // SAFETY: nothing of ours reads it as anything but JSON.
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

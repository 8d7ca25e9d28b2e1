/** Number of values that take the event loop as long as one lookup. */
export const lookupWeight = 30;

/**
 * Weights of fields that take more work than the size of their answer suggests, by name or by type and name. An estimate parses a
 * whole document, the ledger reads a part of the store, a page of rows is decrypted, and a consistency compares all answers.
 */
export const fieldWeights: Readonly<Record<string, number>> = {
  'Person.consistency': 100,
  unitEstimate: 20_000,
  registryBatch: 200,
  registryBatches: 2_000,
  'RegistryBatch.rows': 1_000,
  'RegistryBatch.refusedRows': 1_000,
  createRegistryBatch: 20_000,
  startRegistryBatch: 1_000,
  pauseRegistryBatch: 1_000,
  resumeRegistryBatch: 1_000,
  cancelRegistryBatch: 10_000,
  retryRegistryBatch: 10_000,
  eraseRegistryBatch: 10_000,
  registryLedger: 500,
  registryProofs: 500,
  registrySpend: 2_000,
  registryBudgets: 500,
  settleRegistryBilling: 500,
  setRegistryBudget: 500,
  removeRegistryBudget: 500,
  eraseRegistrySubject: 500,
  registryAudit: 500,
};

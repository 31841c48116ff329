/** Storage that a test owns: every stream is accounted for, and faults can be injected. */
package org.apache.paimon.blobfallback.testio;

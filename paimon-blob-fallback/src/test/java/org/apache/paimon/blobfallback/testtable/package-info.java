/** Real tables of the host whose blob files a test puts down one by one. */
package org.apache.paimon.blobfallback.testtable;

%% The enumeration of operations of HAL 1.1, which has no type that 1.0 has not.
package android.hardware.neuralnetworks@1.1;

import @1.0::OperationType;

/** What an operation computes, beside the operations of HAL 1.0. */
enum OperationType : @1.0::OperationType {
%insert Operation_1.1
};
